/** The script that makes each shell ask `tps complete` for suggestions. */
export const SHELL_SCRIPTS = {
  bash: `# Completion of tps for bash. In ~/.bashrc: source <(tps completion bash)
_tps_complete() {
  local word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    COMPREPLY+=("$word")
  done < <(tps complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _tps_complete tps
`,
  zsh: `#compdef tps
# Completion of tps for zsh. In ~/.zshrc, after compinit: source <(tps completion zsh)
_tps() {
  local -a candidates
  local word description
  while IFS=$'\\t' read -r word description; do
    candidates+=("\${word//:/\\\\:}:$description")
  done < <(tps complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then
    _describe 'tps' candidates
  else
    _files
  fi
}
compdef _tps tps
`,
  fish: `# Completion of tps for fish: tps completion fish > ~/.config/fish/completions/tps.fish
function __tps_complete
  set -l words (commandline -opc) (commandline -ct)
  set -g __tps_candidates (tps complete -- $words[2..-1] 2>/dev/null)
  test (count $__tps_candidates) -gt 0
end
complete -c tps -f -n __tps_complete -a '$__tps_candidates'
`,
} as const;

export const SHELLS = Object.keys(SHELL_SCRIPTS) as (keyof typeof SHELL_SCRIPTS)[];
