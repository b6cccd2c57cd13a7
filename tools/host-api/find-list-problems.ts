import type { Given } from './read-given.ts';

/** `shared/contracts/host-api.json`: what a version of the host API gives remotes. */
export interface HostApiList {
  version: string;
  gives: Given;
}

const WHERE = 'HOST_API_VERSION in shared/contracts/src/unit.ts';

/**
 * Finds changes of what the shell gives for which the version of the host API was not raised enough.
 * @param list what the list says of its version
 * @param now what the sources say
 * @returns a sentence for each change; none when the list may be written anew
 */
export function findListProblems({ version, gives }: HostApiList, now: HostApiList): string[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [newMajor = 0, newMinor = 0] = now.version.split('.').map(Number);
  const isMajorRaised = newMajor > major;
  const isMinorRaised = isMajorRaised || (newMajor === major && newMinor > minor);

  const removed = Object.keys(gives).filter((name) => !(name in now.gives));
  const changed = Object.keys(gives).filter((name) => name in now.gives && now.gives[name] !== gives[name]);
  const added = Object.keys(now.gives).filter((name) => !(name in gives));

  return [
    ...(isMajorRaised ? [] : removed.map((name) => `${name} is gone: set ${WHERE} to ${major + 1}.0`)),
    ...(isMinorRaised
      ? []
      : [
          ...changed.map(
            (name) =>
              `${name} is declared in another way: set ${WHERE} to ${major}.${minor + 1}, or to ${major + 1}.0 if what used it before breaks`,
          ),
          ...added.map((name) => `${name} is new: set ${WHERE} to ${major}.${minor + 1}`),
        ]),
  ];
}
