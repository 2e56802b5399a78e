# Completion of t for fish, generated from its table of commands.

# Prints the command before the cursor, and then its positional words, one per line.
function __t_state
  set -l path t
  set -l rest
  set -l ended 0
  set -l skip 0
  set -l words (commandline -opc)
  for word in $words[2..-1]
    if test $skip = 1
      set skip 0
      continue
    end
    if test $ended = 0
      if test "$word" = --
        set ended 1
        continue
      end
      if string match -qr '^-[^0-9.]' -- "$word"
        switch "$path|$word"
          case 't*|-o' 't*|--o'
            set skip 1
        end
        continue
      end
    end
    switch "$path $word"
      case 't s'
        set path 't s'
      case '*'
        set -a rest $word
    end
  end
  printf '%s\n' $path $rest
end

# Whether the words lead to the command $argv[1], with $argv[2] positional words if given; a plus sign after the number allows more.
function __t_at
  set -l state (__t_state)
  test "$state[1]" = "$argv[1]"; or return 1
  set -q argv[2]; or return 0
  set -l count (math (count $state) - 1)
  switch $argv[2]
    case '*+'
      test $count -ge (string trim -r -c + -- $argv[2])
    case '*'
      test $count -eq $argv[2]
  end
end

# Whether the words lead to the command $argv[1] or to one of its subcommands.
function __t_under
  set -l state (__t_state)
  test "$state[1]" = "$argv[1]"; or string match -q -- "$argv[1] *" "$state[1]"
end

# Prints the subcommands of the command on the line after `help`.
function __t_commands
  set -l state (__t_state)
  switch "$state[2..-1]"
    case ''
      printf '%s\n' s
  end
end

complete -c t -f
complete -c t -n "__t_at 't'" -a s -d 'It\'s [a]: "$x" y \\ (z)'
complete -c t -n "__t_under 't'" -s o -l o -x -d 'It\'s [a]: "$x" y \\ (z)'
