//! The caches of `lstopo --of xml`, of hwloc 1, 2 and 3.
//!
//! Objects lie in each other: a package, an L3, an L2, an L1, a core, its threads. A machine is what one
//! core sees: the caches around the first thread.

use super::missing_tlbs;
use crate::error::DetectError;
use crate::machine_file::{MachineDescription, MachineFile, TomlTable};
use roxmltree::{Document, Node, ParsingOptions};

/// No topology has more elements.
const MOST_NODES: u32 = 4_000_000;

/// A cache for data, in bytes; what is not known is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cache {
    level: u64,
    size: u64,
    line: u64,
    /// -1 where all lines are one set.
    associativity: i64,
}

pub(super) fn import(name: &str, path: &str, text: &str) -> Result<MachineFile, DetectError> {
    let refuse = |why: String| DetectError::File(format!("`{path}`: {why}"));
    let options = ParsingOptions {
        // Its files name one, hwloc2.dtd, which is not read.
        allow_dtd: true,
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options);
    let document = document.map_err(|error| refuse(format!("it is not XML: {error}")))?;
    if !document.root_element().has_tag_name("topology") {
        let what = document.root_element().tag_name().name();
        let why = format!("its element is <{what}>, not the <topology> of `lstopo --of xml`");
        return Err(refuse(why));
    }
    let threads = objects(&document, "PU");
    let Some(first) = threads.first() else {
        let why = "it has no object of type PU; `lstopo --of xml` writes all";
        return Err(refuse(why.to_owned()));
    };
    let enclosing: Vec<Node> = enclosing(*first).collect();
    let caches = caches(*first).map_err(refuse)?;
    if caches.is_empty() {
        return Err(refuse(
            "it tells of no cache around the first PU".to_owned(),
        ));
    }
    let mut warnings = Vec::new();
    let cores = enclosing.iter().map(|node| cores(*node));
    let tables = caches.iter().zip(cores);
    let tables = tables.map(|(cache, cores)| table(cache, cores, &mut warnings));
    let tables = tables.collect::<Result<_, _>>().map_err(refuse)?;
    if differ(&threads, &caches) {
        let why = "cores differ in their caches: the file has those of the first";
        warnings.push(why.to_owned());
    }
    warnings.push(missing_tlbs());
    warnings.push("hwloc does not say how fast a machine is: add [core] and [memory]".to_owned());
    let description = MachineDescription {
        comments: vec!["What one core sees, as hwloc tells (`lstopo --of xml`).".to_owned()],
        name: name.to_owned(),
        title: model(&document),
        caches: tables,
        ..MachineDescription::default()
    };
    let toml = description.toml(&format!("`{path}`"))?;
    Ok(MachineFile { toml, warnings })
}

fn objects<'a>(document: &'a Document, kind: &str) -> Vec<Node<'a, 'a>> {
    let all = document.descendants();
    all.filter(|node| is_object(*node, kind)).collect()
}

fn is_object(node: Node, kind: &str) -> bool {
    node.has_tag_name("object") && node.attribute("type") == Some(kind)
}

/// The caches for data around a thread, nearest first.
fn caches<'a>(thread: Node<'a, 'a>) -> Result<Vec<Cache>, String> {
    enclosing(thread).map(cache).collect()
}

fn enclosing<'a>(thread: Node<'a, 'a>) -> impl Iterator<Item = Node<'a, 'a>> {
    thread.ancestors().filter(|node| for_data(*node))
}

/// How many cores share a cache.
fn cores(cache: Node) -> usize {
    let inside = cache.descendants();
    inside.filter(|node| is_object(*node, "Core")).count()
}

/// `L1Cache` to `L5Cache`, and `Cache` in hwloc 1; `L1iCache` is for instructions, as is every cache of
/// type 2.
fn for_data(node: Node) -> bool {
    let kind = node.attribute("type").unwrap_or("");
    let is_cache = matches!(
        kind,
        "Cache" | "L1Cache" | "L2Cache" | "L3Cache" | "L4Cache" | "L5Cache"
    );
    node.has_tag_name("object") && is_cache && node.attribute("cache_type") != Some("2")
}

fn cache(node: Node) -> Result<Cache, String> {
    let level = match node.attribute("type") {
        Some("Cache") | None => number(node, "depth")?,
        Some(kind) => u64::from(kind.as_bytes().get(1).map_or(0, |c| c.saturating_sub(b'0'))),
    };
    let associativity = match node.attribute("cache_associativity") {
        None => 0,
        Some(text) => text
            .parse()
            .map_err(|_| misread(node, "cache_associativity", text))?,
    };
    Ok(Cache {
        level,
        size: number(node, "cache_size")?,
        line: number(node, "cache_linesize")?,
        associativity,
    })
}

fn number(node: Node, key: &str) -> Result<u64, String> {
    match node.attribute(key) {
        None => Err(format!("{}: it has no {key}", place(node))),
        Some(text) => text.parse().map_err(|_| misread(node, key, text)),
    }
}

fn misread(node: Node, key: &str, text: &str) -> String {
    format!("{}: {key}=\"{text}\" is not a number", place(node))
}

/// `line 12, object L2Cache`
fn place(node: Node) -> String {
    let row = node.document().text_pos_at(node.range().start).row;
    let kind = node.attribute("type").unwrap_or("of no type");
    format!("line {row}, object {kind}")
}

fn table(cache: &Cache, cores: usize, warnings: &mut Vec<String>) -> Result<TomlTable, String> {
    let name = format!("L{}", cache.level);
    if cache.line == 0 {
        return Err(format!(
            "{name}: hwloc does not know the size of its lines (cache_linesize=\"0\"); `premiss machine \
             detect` may"
        ));
    }
    let ways = match cache.associativity {
        -1 => None,
        0 => {
            warnings.push(format!(
                "{name}: its associativity is not known: the file has it fully associative"
            ));
            None
        }
        ways => match u64::try_from(ways) {
            Ok(ways) => Some(ways),
            Err(_) => return Err(format!("{name}: an associativity of {ways} cannot be")),
        },
    };
    let mut table = TomlTable::cache(&name, cache.size, ways, cache.line);
    if 0 < cores {
        table.number("cores", cores);
    }
    Ok(table)
}

/// Whether some thread has other caches around it.
fn differ(threads: &[Node], first: &[Cache]) -> bool {
    let mut others = threads.iter();
    others.any(|thread| caches(*thread).is_ok_and(|other| other != first))
}

/// The name of the processor.
fn model(document: &Document) -> Option<String> {
    let mut all = document.descendants();
    let info =
        all.find(|node| node.has_tag_name("info") && node.attribute("name") == Some("CPUModel"))?;
    let model = info.attribute("value")?.trim();
    (!model.is_empty()).then(|| model.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use premiss_machine::Machine;

    /// Two cores below an L3, each with an L2, an L1 and an L1i, as hwloc 2 writes them.
    const NEW: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0">
    <object type="Package" os_index="0">
      <info name="CPUModel" value="A &quot;processor&quot;"/>
      <object type="L3Cache" cache_size="8388608" depth="3" cache_linesize="64" cache_associativity="16" cache_type="0">
        <object type="L2Cache" cache_size="524288" depth="2" cache_linesize="64" cache_associativity="8" cache_type="0">
          <object type="L1Cache" cache_size="32768" depth="1" cache_linesize="64" cache_associativity="-1" cache_type="1">
            <object type="L1iCache" cache_size="32768" depth="1" cache_linesize="64" cache_associativity="8" cache_type="2">
              <object type="Core" os_index="0"><object type="PU" os_index="0"/></object>
            </object>
          </object>
        </object>
        <object type="L2Cache" cache_size="524288" depth="2" cache_linesize="64" cache_associativity="8" cache_type="0">
          <object type="L1Cache" cache_size="32768" depth="1" cache_linesize="64" cache_associativity="-1" cache_type="1">
            <object type="Core" os_index="1"><object type="PU" os_index="1"/></object>
          </object>
        </object>
      </object>
    </object>
  </object>
</topology>"#;

    fn read(text: &str) -> Result<(Machine, String, Vec<String>), String> {
        let found = import("h", "t.xml", text).map_err(|error| error.to_string())?;
        let machine = Machine::from_toml(&found.toml).unwrap();
        Ok((machine, found.toml, found.warnings))
    }

    #[test]
    fn what_the_first_core_sees_is_read() {
        let (machine, toml, warnings) = read(NEW).unwrap();
        assert_eq!(
            machine.canonical(),
            "cache L1=32768,full,64\ncache L2=524288,8,64\ncache L3=8388608,16,64\n"
        );
        assert_eq!(machine.title(), "A \"processor\"");
        let shared: Vec<_> = machine
            .caches()
            .iter()
            .map(|x| x.transfer().cores)
            .collect();
        assert_eq!(shared, [Some(1), Some(1), Some(2)], "{toml}");
        assert_eq!(warnings.len(), 2, "{warnings:?}");
    }

    #[test]
    fn the_format_of_hwloc_1_is_read() {
        let text = r#"<topology><object type="Machine"><object type="Cache" cache_size="4194304" depth="2" cache_linesize="64" cache_associativity="16" cache_type="0"><object type="Cache" cache_size="32768" depth="1" cache_linesize="64" cache_associativity="8" cache_type="1"><object type="Cache" cache_size="32768" depth="1" cache_linesize="64" cache_associativity="8" cache_type="2"><object type="Core"><object type="PU"/></object></object></object></object></object></topology>"#;
        let (machine, ..) = read(text).unwrap();
        assert_eq!(
            machine.canonical(),
            "cache L1=32768,8,64\ncache L2=4194304,16,64\n"
        );
    }

    #[test]
    fn doubtful_values_are_reported() {
        let warns = |text: &str, what: &str| {
            let (.., warnings) = read(text).unwrap();
            assert!(warnings.iter().any(|x| x.contains(what)), "{warnings:?}");
        };
        warns(
            &NEW.replace("associativity=\"16\"", "associativity=\"0\""),
            "L3",
        );
        let (head, tail) = NEW.rsplit_once("524288").unwrap();
        warns(&format!("{head}1048576{tail}"), "cores differ");
    }

    #[test]
    fn what_cannot_be_read_names_the_place() {
        for (from, to, what) in [
            ("<topology version", "<topology < version", "not XML"),
            ("type=\"PU\"", "type=\"XU\"", "no object of type PU"),
            (
                "cache_size=\"524288\"",
                "",
                "line 8, object L2Cache: it has no cache_size",
            ),
            (
                "\"524288\"",
                "\"big\"",
                "line 8, object L2Cache: cache_size=\"big\"",
            ),
            ("\"524288\"", "\"-1\"", "cache_size=\"-1\""),
            ("\"524288\"", "\"0\"", "L2: size of 0"),
            ("\"524288\"", "\"99999999999999999999\"", "is not a number"),
            ("linesize=\"64\"", "linesize=\"0\"", "lines"),
            ("associativity=\"16\"", "associativity=\"-5\"", "-5"),
            (
                "associativity=\"16\"",
                "associativity=\"x\"",
                "line 7, object L3Cache",
            ),
            ("L3Cache", "L2Cache", "two levels are named"),
        ] {
            let text = NEW.replacen(from, to, if from == "type=\"PU\"" { 2 } else { 1 });
            let text = match from {
                "L3Cache" => text.replace("L3Cache", to),
                _ => text,
            };
            assert_ne!(text, NEW, "{from}");
            let message = read(&text).unwrap_err();
            assert!(
                message.contains("t.xml") && message.contains(what),
                "{to}: {message}"
            );
        }
        assert!(read("<html/>").unwrap_err().contains("<html>"));
        assert!(read("<topology/>").unwrap_err().contains("PU"));
        assert!(read("no xml").unwrap_err().contains("not XML"));
    }

    #[test]
    fn deep_and_repeating_files_end() {
        let deep = "<object>".repeat(100_000);
        assert!(read(&format!("<topology>{deep}")).is_err());
        let bomb = "<!DOCTYPE t [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">\
                    <!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;\">\
                    <!ENTITY e \"&d;&d;&d;&d;&d;&d;&d;&d;\">]><topology>&e;&e;&e;&e;</topology>";
        assert!(read(bomb).is_err());
    }
}
