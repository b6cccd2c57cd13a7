import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ensureInstalled } from './ensure-installed.ts';

/** What the sample in Kotlin needs beside its compiler. On Android the second one is part of the system. */
export const KOTLIN_LIBRARIES = ['bcprov', 'json-android', 'kotlin-stdlib'].map((jar) => `/usr/share/java/${jar}.jar`);

/** Whether a program is on this machine, without starting it: a Java takes a third of a second to say its version. */
function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

export const hasGo = () => isOnPath('go');
export const hasJava = () => isOnPath('javac') && isOnPath('java');
export const hasKotlin = () => hasJava() && isOnPath('kotlinc-jvm') && KOTLIN_LIBRARIES.every((jar) => existsSync(jar));

/** Whether this machine has the compilers of all samples. */
export const hasCompilers = () => hasGo() && hasKotlin();

export function ensureCompilers(): Promise<void> {
  const packages = ['golang-go default-jdk-headless', 'kotlin libbcprov-java libandroid-json-org-java'];
  return ensureInstalled({
    need: 'The samples need the compilers of Go, Java and Kotlin',
    isThere: hasCompilers,
    install: `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`,
  });
}
