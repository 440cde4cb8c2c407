//! Kept tests that were run again, for people.

use super::schema::{ReplayedTest, Replays};

pub fn render(replays: &Replays) -> String {
    let tests: Vec<String> = replays.tests.iter().map(test).collect();
    tests.join("\n")
}

fn test(test: &ReplayedTest) -> String {
    let ReplayedTest { test: name, call, dependency, from, to, .. } = test;
    let verdict = match test.differs {
        Some(true) => "different",
        Some(false) => "same",
        None => "not run",
    };
    let mut text = format!("{name}: {verdict}\n  {call}\n");
    for (version, outcome) in [(from, &test.old), (to, &test.new)] {
        if let Some(outcome) = outcome {
            text += &format!("  with {dependency} {version}: {outcome}\n");
        }
    }
    if let Some(reason) = &test.reason {
        text += &format!("  {reason}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use snapbox::{assert_data_eq, str};

    use super::*;
    use crate::report::schema::SCHEMA;

    #[test]
    fn a_test_shows_the_call_and_both_outcomes() {
        let test = ReplayedTest {
            test: "client-f-1a2b3c".into(),
            call: "client::f(0)".into(),
            dependency: "dep".into(),
            from: "1.0.0".into(),
            to: "1.0.1".into(),
            old: Some("returned 1".into()),
            new: Some("panicked".into()),
            differs: Some(true),
            reason: None,
            reason_code: None,
        };
        let gone = ReplayedTest {
            old: None,
            new: None,
            differs: None,
            reason: Some("the call does not build".into()),
            reason_code: Some("build-failed".into()),
            ..test.clone()
        };
        assert_data_eq!(
            render(&Replays { schema: SCHEMA, tests: vec![test, gone] }),
            str![[r#"
client-f-1a2b3c: different
  client::f(0)
  with dep 1.0.0: returned 1
  with dep 1.0.1: panicked

client-f-1a2b3c: not run
  client::f(0)
  the call does not build

"#]]
        );
    }
}
