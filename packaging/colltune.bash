# SPDX-License-Identifier: BSD-3-Clause
# Completion of colltune's commands, options and their values for bash, read from colltune's own help.

# The words of a list "a, b or c" behind the last colon of an option's text, apart from what stands in
# parentheses at its end.
_colltune_choices() {
    sed -n -e "/^ .*$1=/"'{:p; s/ ([^()]*)$//; tp; s/.*\(: \|  use \)//; s/ or /, /; /^[^ ]*\(, [^ ]*\)*$/s/, /\n/gp}'
}

_colltune() {
    local colltune=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} help
    COMPREPLY=()
    # Of --option=VALUE bash makes three words.
    [ "$before" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}
    [ "$word" != = ] || word=''
    if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$command" = help ]; }; then
        help=$("$colltune" --help 2>/dev/null |
            sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z0-9-]*\)  *[a-z].*/\1/p')
        mapfile -t COMPREPLY < <(compgen -W "$help help --help --version" -- "$word")
        return
    fi
    case $word in
    -*)
        help=$("$colltune" "$command" --help 2>/dev/null |
            sed -n -e '/^Examples*:/q' -e 's/^ \{2,6\}\(-[a-zA-Z?], *\)\{0,1\}\(--[a-z0-9-]*=\{0,1\}\).*/\2/p')
        mapfile -t COMPREPLY < <(compgen -W "$help" -- "$word")
        [[ ${COMPREPLY[0]:-} != *= ]] || compopt -o nospace
        return
        ;;
    esac
    case $command:$COMP_CWORD:$before in
    *:-c | *:--collective | *:--collectives | list:2:*)
        help=$("$colltune" list --format csv 2>/dev/null | sed '1d; s/,.*//' | uniq)
        ;;
    import:2:*) help='osu imb skampi csv run' ;;
    *:-*) help=$(ARGP_HELP_FMT=rmargin=30000 "$colltune" "$command" --help 2>/dev/null |
        _colltune_choices "$before") ;;
    explain:2:* | verify:*)
        help=$("$colltune" list --format csv 2>/dev/null | sed '1d; s/,/\//; s/,.*//')
        ;;
    *) help='' ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$help" -- "$word")
    [ -n "$help" ] || mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -o filenames -F _colltune colltune
