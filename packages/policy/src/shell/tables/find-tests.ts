/** Tests of `find` that only look, without a value; -delete, -exec, -fprint and their kin are not here. */
export const FIND_TESTS: ReadonlySet<string> = new Set(
  (
    "-H -L -P -O0 -O1 -O2 -O3 -empty -readable -writable -executable -depth -d -mount -xdev -follow -nouser -nogroup -prune " +
    "-print -print0 -ls -quit -not -a -and -o -or -true -false -daystart -noleaf -ignore_readdir_race ! ( ) ,"
  ).split(" "),
);

/** Tests of `find` that only look, with a value. */
export const FIND_VALUED: ReadonlySet<string> = new Set(
  (
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime -amin " +
    "-ctime -cmin -newer -anewer -cnewer -newermt -newerct -newerat -newermm -perm -user -group -uid -gid -maxdepth -mindepth " +
    "-links -inum -samefile -lname -ilname -fstype -printf -used -context"
  ).split(" "),
);
