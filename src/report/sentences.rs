//! What was found out, in sentences.

use std::fmt::{self, Display, Formatter};

use crate::model::{
    ChangeKind, ChangedItem, ChangedPart, ClientTarget, Conclusion, Engine, Incomplete,
    Observation, Proof, Unconfirmed, Undecided, Verdict, WhyItCounts, WhyOpen,
};
use crate::upgrade::{ClientPackage, NotLockable, Unused};

impl Display for NotLockable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotLockable::NeedsManifest => {
                "Cargo.lock alone cannot say this: change Cargo.toml first"
            }
            NotLockable::Conflicts => {
                "it does not go together with the other upgrades: run `cargo cse update` again for it"
            }
        })
    }
}

/// Where inputs on which one of the versions does not end are outside of a proof.
const PARTIAL: &str = "; where a loop of one version does not end, nothing is said";

/// Why an upgrade has its verdict.
pub fn conclusion(
    conclusion: &Conclusion,
    packages: &[ClientPackage],
    label: &dyn Fn(&ClientTarget) -> String,
) -> String {
    let client = || packages.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", ");
    match conclusion {
        Conclusion::NotInBuild(Unused::OnlyDeveloped) => {
            "only tests, examples or benches use it (dev-dependency)".to_owned()
        }
        Conclusion::NotInBuild(Unused::NotBuilt) => {
            "the client's build does not contain it for this target and these features".to_owned()
        }
        Conclusion::Unmatched(targets) => {
            let targets: Vec<String> = targets.iter().map(label).collect();
            format!("built with only one of the two versions: {}", targets.join(", "))
        }
        Conclusion::Different { different, of } => format!(
            "{different} of {of} entry points behave differently, as a run of both versions showed"
        ),
        Conclusion::Unknown { unknown, of } => format!(
            "{unknown} of {of} entry points reach code that changed, and that it still does the same \
             is not proved"
        ),
        Conclusion::InMacros(names) => format!(
            "what moves is built into a procedural macro of the workspace ({}), and those cannot be \
             compared yet",
            names.join(", ")
        ),
        Conclusion::NothingBuilt => "no library and no binary of the client was built".to_owned(),
        Conclusion::NoTarget => "only tests, examples or benches can use it: the client has no \
                                 library and no binary"
            .to_owned(),
        Conclusion::NoEntryPoint => format!("{} offers nothing to outside callers", client()),
        Conclusion::Equivalent { is_change_reached, is_partial } => {
            let what = match is_change_reached {
                false => "nothing that changed is reachable from",
                true => "what changed makes no difference to",
            };
            let unless = if *is_partial { PARTIAL } else { "" };
            format!("{what} the entry points of {}{unless}", client())
        }
    }
}

/// Why an entry point has its verdict.
pub fn verdict(verdict: &Verdict, is_generic: bool) -> String {
    match verdict {
        Verdict::Equivalent(proof) => proved(proof, is_generic),
        Verdict::Different(found) => match found.observed {
            Observation::Call => "an input was run on which it differs".to_owned(),
            Observation::Main => "it was run, and does not do the same".to_owned(),
            Observation::Value => "its value differs".to_owned(),
        },
        Verdict::Unknown(why) => undecided(why),
    }
}

fn proved(proof: &Proof, is_generic: bool) -> String {
    if proof.exercised == Some(false) {
        return "what changed is never exercised from here".to_owned();
    }
    let proved = match proof.engine {
        Engine::Same if is_generic => "everything it can reach is identical in generic form",
        Engine::Same => "everything it can reach is identical",
        Engine::Run => "all inputs that there are were run, and none differs",
        Engine::Summary => "what changed makes no difference on any of its paths",
        Engine::Unroll => "what changed makes no difference, however often its loops can run",
        Engine::Product => "what changed makes no difference after any number of steps",
    };
    format!("{proved}{}", if proof.is_partial { PARTIAL } else { "" })
}

fn undecided(why: &Undecided) -> String {
    match why {
        Undecided::OnlyNew => "it exists only with the new version".to_owned(),
        Undecided::OnlyOld => "it exists only with the old version".to_owned(),
        Undecided::OtherTypes => "it takes or gives values of another type".to_owned(),
        Undecided::LeadsElsewhere => "it leads to something else now".to_owned(),
        Undecided::OtherSignature => "callers see other types in it".to_owned(),
        Undecided::OtherLinkage => "its section, linkage or calling convention changed".to_owned(),
        Undecided::OtherValue => "its value changed".to_owned(),
        Undecided::Reaches { nearest, others, in_generic_form } => {
            let form = match in_generic_form {
                true => "it is generic, and in generic form ",
                false => "it ",
            };
            let others = match others {
                0 => String::new(),
                1 => " and one more change".to_owned(),
                more => format!(" and {more} more changes"),
            };
            format!("{form}reaches changed code: {nearest}{others}")
        }
        Undecided::NotProved(Incomplete { reason, place: None }) => {
            format!("not decided: {reason}")
        }
        Undecided::NotProved(Incomplete { reason, place: Some(place) }) => {
            format!("not decided: {reason} in {}", place.function)
        }
        Undecided::SeemsDifferent(why) => format!("it seems to differ{}", unconfirmed(why)),
        Undecided::LooksAtAddress { function } => format!(
            "not decided: {function} looks at an address, by which any two builds can differ"
        ),
    }
}

fn unconfirmed(why: &Unconfirmed) -> String {
    match why {
        Unconfirmed::NotTried => String::new(),
        Unconfirmed::NotWritable => ", but what it takes cannot be written down".to_owned(),
        Unconfirmed::RunsAgree => ", but native runs showed no difference".to_owned(),
        Unconfirmed::NotRun(reason) => format!(", but could not be run: {reason}"),
    }
}

/// What is different in something that changed, in a few words.
pub fn what_changed(item: &ChangedItem) -> String {
    match (&item.what, item.kind) {
        (Some(part), _) => changed_part(part),
        (None, ChangeKind::Removed) => "not reached in the new version".to_owned(),
        (None, _) => "not reached in the old version".to_owned(),
    }
}

fn changed_part(part: &ChangedPart) -> String {
    let plain = match part {
        ChangedPart::NoCode(reason) => return reason.to_string(),
        ChangedPart::Callee(name) => return format!("what it calls: {name}"),
        ChangedPart::Type(name) => return format!("a type in it: {name}"),
        ChangedPart::Body => "its body",
        ChangedPart::ForeignCode => "code that is not Rust moves with the upgrade",
        ChangedPart::Meaning => "what it stands for",
        ChangedPart::Form => "its fields, variants or layout",
        ChangedPart::Value => "its value",
        ChangedPart::Methods => "its methods",
        ChangedPart::Constant => "a constant",
        ChangedPart::Reference => "what it refers to",
    };
    plain.to_owned()
}

/// Why something counts that stands in a package that does not move.
pub fn why_it_counts(why: &WhyItCounts) -> String {
    match why {
        WhyItCounts::Instance(ty) => format!("an instance for {ty}"),
        WhyItCounts::Features => "built with other features".to_owned(),
        WhyItCounts::Generated => {
            "made by what moves: a macro, a build script, a constant".to_owned()
        }
    }
}

/// Why a boundary could not be decided.
pub fn open(why: &WhyOpen) -> String {
    match why {
        WhyOpen::NotProved(incomplete) => incomplete.reason.to_string(),
        WhyOpen::Generic => "it is generic, and such code is compared only as it stands".to_owned(),
        WhyOpen::Entry(why) => undecided(why),
    }
}
