//! The table of actions: what a key can do, its name, its words and its default keys.
//!
//! Key maps, the help overlay, the footer, `--print-keys`, the README's key table and the
//! `:` prompt are all made from [`TABLE`].

/// Where an action can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    /// On every screen.
    Global,
    /// On the browser screen.
    Browse,
    /// On the pipeline screen.
    Pipeline,
    /// On the screen of stored runs.
    Runs,
}

impl Context {
    /// Every context, in the order of the help.
    pub const ALL: [Self; 4] = [Self::Global, Self::Browse, Self::Pipeline, Self::Runs];

    /// The name in the configuration file and in listings.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Browse => "browse",
            Self::Pipeline => "pipeline",
            Self::Runs => "runs",
        }
    }

    /// The title in the help.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Global => "Everywhere",
            Self::Browse => "Browse",
            Self::Pipeline => "Pipeline",
            Self::Runs => "Runs",
        }
    }

    /// The context with this name.
    #[must_use]
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|context| context.id() == id)
    }
}

/// A line of the table.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The action.
    pub action: Action,
    /// Its name: kebab-case, for the configuration file and the `:` prompt.
    pub id: &'static str,
    /// A word or two for the footer.
    pub hint: &'static str,
    /// One sentence without a full stop for the help.
    pub doc: &'static str,
    /// Default key sequences in the notation of [`super::keymap`].
    pub keys: &'static [&'static str],
    /// Where it works.
    pub context: Context,
}

macro_rules! actions {
    ($($context:ident { $($name:ident $id:literal $hint:literal [$($key:literal),*] $doc:literal;)* })*) => {
        /// What a person can ask for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Action {
            $($(#[doc = $doc] $name,)*)*
        }

        /// Every action once, in the order of the help.
        pub const TABLE: &[Entry] = &[
            $($(Entry {
                action: Action::$name,
                id: $id,
                hint: $hint,
                doc: $doc,
                keys: &[$($key),*],
                context: Context::$context,
            },)*)*
        ];
    };
}

actions! {
    Global {
        Quit "quit" "quit" ["q", "C-c"] "Leave pkiscope";
        Help "help" "keys" ["?", "f1"] "Show or hide the keys that work here";
        Command "command" "go to" [":"] "Go to an offset (0x hex, +n, -n) or run an action";
        Cancel "cancel" "back" ["esc"] "Close what is on top, stop a search, or go back";
        ShowBrowse "show-browse" "browse" ["1"] "Show the browser screen";
        ShowPipeline "show-pipeline" "pipeline" ["2"] "Show the pipeline screen";
        ShowRuns "show-runs" "runs" ["4"] "Show the screen of stored runs";
        Up "up" "up" ["up", "k"] "Move up a row";
        Down "down" "down" ["down", "j"] "Move down a row";
        Left "left" "left" ["left", "h"] "Close, or go to the parent; an octet back";
        Right "right" "right" ["right", "l"] "Open, or go to the first child; an octet on";
        PageUp "page-up" "page up" ["pageup", "C-b"] "Move up a page";
        PageDown "page-down" "page down" ["pagedown", "C-f"] "Move down a page";
        HalfPageUp "half-page-up" "half page up" ["C-u"] "Move up half a page";
        HalfPageDown "half-page-down" "half page down" ["C-d"] "Move down half a page";
        First "first" "first" ["home", "g g"] "Move to the first row";
        Last "last" "last" ["end", "G"] "Move to the last row";
        Enter "enter" "open" ["enter", "space"] "Open or close what is chosen";
        NextPane "next-pane" "next pane" ["tab"] "Focus the next pane";
        PreviousPane "previous-pane" "previous pane" ["backtab"] "Focus the previous pane";
        Redraw "redraw" "redraw" ["C-l"] "Draw the whole screen again";
        Suspend "suspend" "suspend" ["C-z"] "Stop pkiscope and return to the shell";
    }
    Browse {
        Search "search" "search" ["/"] "Search text, oid:2.5.29, tag:INTEGER or hex 30 ?? 02";
        NextHit "next-hit" "next hit" ["n"] "Go to the next hit";
        PreviousHit "previous-hit" "previous hit" ["N"] "Go to the previous hit";
        NextDocument "next-document" "next document" ["]"] "Show the next document";
        PreviousDocument "previous-document" "previous document" ["["] "Show the previous document";
        NextFinding "next-finding" "next finding" ["g !"] "Go to the next finding";
        PreviousFinding "previous-finding" "previous finding" ["g @"] "Go to the previous finding";
        Parent "parent" "parent" ["u"] "Go to the parent node";
        NextSibling "next-sibling" "next sibling" ["J"] "Go to the next node of the same parent";
        PreviousSibling "previous-sibling" "previous sibling" ["K"] "Go to the previous node of the same parent";
        Back "back" "back" ["backspace", "A-left", "C-o"] "Go back to where you were before a jump";
        Forward "forward" "forward" ["A-right", "C-n"] "Go forward again";
        ExpandAll "expand-all" "open all" ["E", "*"] "Open the node and all below it";
        CollapseAll "collapse-all" "close all" ["C"] "Close all below the node";
        Density "density" "density" ["d"] "Change how much each row says";
        ToggleNested "toggle-nested" "nested" ["e"] "Open DER inside OCTET STRING and BIT STRING, or not";
        Retype "retype" "re-type" ["t"] "Read the node as another type of the schema";
        Unlock "unlock" "password" ["p"] "Give the password of an encrypted object";
        Save "save" "save" ["s"] "Save the octets of the node to a file";
        CopyHex "copy-hex" "hex" ["y h"] "Copy the octets as hex";
        CopyBase64 "copy-base64" "base64" ["y b"] "Copy the octets as base64";
        CopyPem "copy-pem" "PEM" ["y p"] "Copy the octets as PEM";
        CopyDerAscii "copy-der-ascii" "DER text" ["y d"] "Copy the node as der-ascii text";
        CopyCArray "copy-c-array" "C array" ["y c"] "Copy the octets as a C array";
        CopyValue "copy-value" "value" ["y v", "y y"] "Copy the decoded value";
        CopyPath "copy-path" "path" ["y n"] "Copy the path of field names";
        CopyOid "copy-oid" "OID" ["y o"] "Copy the object identifier in dotted form";
    }
    Pipeline {
        StartRun "start" "start" ["s"] "Start the pipeline with the settings that are shown";
        RestartRun "restart" "restart" ["r"] "Stop the run and start it again";
        StopRun "stop" "stop" ["x"] "Stop the run; what is stored stays";
        Pause "pause" "pause" ["space", "p"] "Let the work stand still, or go on";
        Freeze "freeze" "freeze" ["f"] "Freeze what is shown while the work goes on, or not";
        MoreWorkers "more-workers" "more workers" ["+", "="] "One worker more";
        FewerWorkers "fewer-workers" "fewer workers" ["-", "_"] "One worker less";
        LogScale "log-scale" "log" ["L"] "Count on a logarithmic or a linear scale";
        Window "window" "window" ["w"] "Times of the whole run, or of the last 10 seconds";
        Settings "settings" "settings" ["o"] "Choose what to run and how";
        ChooseAlgorithm "choose-algorithm" "algorithm" ["a"] "Choose the algorithm of the CA and the subscribers";
        ChooseBackend "choose-backend" "backend" ["b"] "Choose the crypto backend";
        ChooseSizes "choose-sizes" "sizes" ["z"] "Choose the sizes of the batches";
        Export "export" "export" ["e"] "Save the results so far to a JSON file";
    }
    Runs {
        MarkA "mark-a" "A" ["a"] "Compare from this run: it becomes A";
        MarkB "mark-b" "B" ["b"] "Compare to this run: it becomes B";
        CompareRuns "compare" "compare" ["c"] "Compare A with B, stage by stage";
        RunDetails "run-details" "details" ["i"] "Show the settings and the machine of the run";
        ExportRun "export-run" "export" ["e"] "Save the run or the comparison to a file";
        DeleteRun "delete-run" "delete" ["d", "delete"] "Delete the run and its objects from the store";
        ReloadRuns "reload-runs" "reload" ["r"] "Read the list of runs again";
    }
}

impl Action {
    /// Its line of the table.
    #[must_use]
    pub fn entry(self) -> &'static Entry {
        // The macro makes the enum and the table together, so the index is always right.
        &TABLE[self as usize]
    }

    /// The word for all actions that share its first key, as `copy`.
    #[must_use]
    pub fn group(self) -> Option<&'static str> {
        self.entry().id.starts_with("copy-").then_some("copy")
    }

    /// The action with this name.
    #[must_use]
    pub fn by_id(id: &str) -> Option<Self> {
        TABLE.iter().find(|entry| entry.id == id).map(|entry| entry.action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_is_documented_once() {
        let mut ids = std::collections::HashSet::new();
        for (index, entry) in TABLE.iter().enumerate() {
            assert_eq!(entry.action as usize, index, "{}", entry.id);
            assert!(ids.insert(entry.id), "{} twice", entry.id);
            assert!(
                entry.id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
            );
            assert!(!entry.keys.is_empty(), "{} has no key", entry.id);
            assert!(!entry.hint.is_empty() && entry.hint.len() <= 18, "{}", entry.id);
            assert!(entry.doc.len() > 10 && !entry.doc.ends_with('.'), "{}", entry.id);
            assert!(entry.doc.len() <= 53, "{} does not fit in 80 columns of help", entry.id);
            assert_eq!(Action::by_id(entry.id), Some(entry.action));
        }
        assert_eq!(Action::by_id("no-such-action"), None);
    }

    #[test]
    fn contexts_have_names() {
        for context in Context::ALL {
            assert_eq!(Context::by_id(context.id()), Some(context));
        }
    }
}
