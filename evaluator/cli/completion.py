"""``groupwise completion``: scripts for shells, which ask this command what could come next."""

from collections.abc import Sequence

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.arguments import CommandParser
from groupwise.evaluator.cli.guard import DONE
from groupwise.evaluator.cli.usage import UsageError

DESCRIPTION = """\
Complete commands, options, their values and file names when you press the tab
key. With --install the script is put where your shell finds it; without, it is
printed."""
EXAMPLE = """\
  $ groupwise completion bash --install
  $ groupwise completion zsh > _groupwise
  $ groupwise completion bash --uninstall
"""
RELOAD = "open a new shell, type groupwise ev, and press the tab key\n"
ASK = "--complete"
"""Asks for candidates; what follows is the line (bash) or the words, the last one unfinished."""
BASH = """\
_groupwise() {
    local candidate
    COMPREPLY=()
    while IFS=$'\\t' read -r candidate _; do
        if [[ $candidate == :files ]]; then
            compopt -o default 2> /dev/null ||
                COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))
            return
        fi
        COMPREPLY+=("$candidate")
    done < <("${COMP_WORDS[0]}" completion --complete bash "$COMP_WORDBREAKS" \\
        "${COMP_LINE:0:COMP_POINT}" 2> /dev/null)
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace 2> /dev/null
    fi
}
complete -F _groupwise groupwise
"""
ZSH = """\
#compdef groupwise
_groupwise() {
    local candidate
    local -a found
    for candidate in "${(@f)$(${words[1]} completion --complete zsh \\
        "${(@Q)words[2,CURRENT]}" 2> /dev/null)}"; do
        if [[ $candidate == :files ]]; then
            [[ $words[CURRENT] == -*=* ]] && compset -P '*='
            _files
            return
        fi
        [[ -n $candidate ]] || continue
        found+=("${${candidate%%$'\\t'*}//:/\\\\:}:${${candidate}[(ws:\\t:)2]}")
    done
    (( $#found )) && _describe -V groupwise found
}
if [[ $funcstack[1] == _groupwise ]]; then
    _groupwise "$@"
else
    compdef _groupwise groupwise
fi
"""
FISH = """\
function __groupwise_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for candidate in (command $words[1] completion --complete fish $words[2..] "$current" \\
            2> /dev/null)
        if test "$candidate" = ":files"
            set -l head (string match -r -- '^-[^=]*=' "$current")
            for path in (__fish_complete_path (string replace -r -- '^-[^=]*=' '' "$current"))
                echo -- "$head$path"
            end
            return
        end
        echo -- $candidate
    end
end
complete -c groupwise -f -a '(__groupwise_complete)'
"""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def main(arguments: Sequence[str]) -> int:
    """Print the script of a shell, or answer one."""
    if arguments[:1] == [ASK]:
        if len(arguments) < (4 if "bash" in arguments[1:2] else 2):
            raise UsageError(f"{ASK} is for the scripts of shells; expected a shell and a line")
        return _answer(arguments[1], arguments[2:])
    words = _parser().parse_words(arguments)
    if words.install and words.uninstall:
        raise UsageError("--install and --uninstall exclude each other")
    if words.install or words.uninstall:
        return _change_files(words.shell, install=words.install)
    streams.say(SCRIPTS[words.shell])
    return DONE


def _parser() -> CommandParser:
    parser = CommandParser("completion", DESCRIPTION, EXAMPLE, plugins=False)
    parser.add_choice("shell", (*SCRIPTS,), "the shell that you use")
    parser.add_argument(
        "--install",
        action="store_true",
        help="write the script, and the lines of ~/.bashrc or ~/.zshrc that load it",
    )
    parser.add_argument("--uninstall", action="store_true", help="remove both again")
    return parser


def _change_files(shell: str, *, install: bool) -> int:
    """Install the script of a shell, or remove it, and say what was done."""
    from groupwise.evaluator.cli.shell_files import find_files  # noqa: PLC0415
    from groupwise.evaluator.text import printable  # noqa: PLC0415

    files = find_files(shell)
    for line in files.install(SCRIPTS[shell]) if install else files.uninstall():
        streams.say(f"{printable(line)}\n")
    if install:
        streams.say(RELOAD)
    return DONE


def _answer(shell: str, given: Sequence[str]) -> int:
    """Print a line for each candidate: what to type and, after a tab, what it is for."""
    from groupwise.evaluator.cli.candidates import (  # noqa: PLC0415
        FILES,
        cut_at_break,
        list_candidates,
        split_line,
    )

    breaks, words = (given[0], split_line(given[1])) if shell == "bash" else ("", [*given])
    found = list_candidates(words)
    typed = 0 if found is FILES else cut_at_break(words[-1] if words else "", breaks)
    lines = (f"{word[typed:]}\t{about}".rstrip() for word, about in found)
    streams.say("".join(f"{line}\n" for line in lines))
    return DONE
