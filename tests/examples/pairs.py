"""The published pairs that are examples of a rule, for the measurements of this folder."""
import argparse, csv, os


def options_of(parser=None):
    """Command line: --rankwright BIN --pairs FOLDER [NAME...]; more in the parser that is given."""
    parser = parser or argparse.ArgumentParser()
    parser.add_argument("--rankwright", required=True)
    parser.add_argument("--pairs", required=True)
    parser.add_argument("names", nargs="*")
    return parser.parse_args()


def rule_pairs(options):
    """The names that were given, or those of all pairs whose expected answer begins with "rule";
    None, and a message, without FOLDER/public.tsv."""
    listed = os.path.join(options.pairs, "public.tsv")
    if not os.path.exists(listed):
        print(f"no pairs at {options.pairs}: nothing was measured")
        return None
    with open(listed) as file:
        return options.names or [row["name"] for row in csv.DictReader(file, delimiter="\t")
                                 if row["expected"].startswith("rule")]


def sides(options, name):
    """The paths of the program before and of the one after."""
    return [os.path.join(options.pairs, "public", name, side) for side in ("before.mlir", "after.mlir")]
