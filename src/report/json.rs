//! The report for programs: the types of [`super::schema`], as one JSON document.

use serde::Serialize;

/// The document, on one line that ends in a newline.
pub fn render(report: &impl Serialize) -> String {
    let document = serde_json::to_string(report).expect("a report is plain data");
    document + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{samples, schema::Report};

    #[test]
    fn the_document_has_the_fields_that_scripts_rely_on() {
        let text = render(&samples::unknown());
        assert_eq!(text.lines().count(), 1);
        let document: serde_json::Value = serde_json::from_str(&text).unwrap();
        let upgrade = &document["upgrades"][0];
        assert_eq!(document["schema"], 1);
        assert_eq!(document["client"]["profile"], "dev");
        assert_eq!(upgrade["verdict"], "unknown");
        assert_eq!(upgrade["changed"][0]["kind"], "changed");
        assert_eq!(upgrade["changed"][0]["item"], "function");
        assert_eq!(upgrade["entries"][0]["engine"], serde_json::Value::Null);
        assert_eq!(upgrade["call_sites"][0]["local_difference"], serde_json::Value::Null);
        assert_eq!(upgrade["call_sites"][0]["callee"], "hex::decode::<&str>");
        assert_eq!(upgrade["time_ms"]["total"], 950);
    }

    #[test]
    fn a_document_reads_back_as_the_report_it_came_from() {
        let text = render(&samples::unknown());
        let report: Report = serde_json::from_str(&text).unwrap();
        assert_eq!(render(&report), text);
    }

    #[test]
    fn a_document_of_before_a_field_was_added_still_reads() {
        let text = render(&samples::unknown());
        let older = text.replace(",\"undecided\":null", "");
        assert_ne!(older, text);
        let report: Report = serde_json::from_str(&older).unwrap();
        assert_eq!(render(&report), text);
    }
}
