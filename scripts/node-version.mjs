/** The oldest version of Node that all our packages accept. */
const OLDEST = { major: 20, minor: 19 };

/** Ends the process with a message when Node is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return;

  console.error(`Node ${OLDEST.major}.${OLDEST.minor} or newer is needed; this is ${process.versions.node}.`);
  process.exit(1);
}
