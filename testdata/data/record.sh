#!/bin/sh
# Runs the kernels with real data and writes what they do to ../truth/data_bounds.csv. Needs gcc.
set -e
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
for file in *.c; do
    case $file in
    record.c) gcc -O1 -w -c -o "$folder/record.o" record.c ;;
    *) gcc -O0 -fsanitize=thread -c -o "$folder/${file%.c}.o" "$file" ;;
    esac
done
gcc -o "$folder/record" "$folder"/*.o
"$folder/record" >../truth/data_bounds.csv
