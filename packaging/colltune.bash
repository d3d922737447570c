# SPDX-License-Identifier: BSD-3-Clause
# Completion of colltune's commands and options for bash, read from colltune's own help.

_colltune() {
    local colltune=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} help
    COMPREPLY=()
    # Of --option=VALUE bash makes three words.
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
    case $before in
    -c | --collective | --collectives)
        help=$("$colltune" list --format csv 2>/dev/null | sed '1d; s/,.*//' | uniq)
        mapfile -t COMPREPLY < <(compgen -W "$help" -- "$word")
        ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    esac
}
complete -o filenames -F _colltune colltune
