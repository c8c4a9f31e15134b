# Completion of aolag for fish, which asks the program: see aolag-help(1).

function __aolag
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (aolag help --complete -- $words[2..-1] "$current" 2>/dev/null)
        if test $line = /
            __fish_complete_path $current
        else
            echo $line
        end
    end
end

complete -c aolag -f -a '(__aolag)'
