/** The oldest Node that everything we install accepts. */
const OLDEST = [20, 19];

/** Stops with one clear line where Node is too old to go on. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;

  console.error(`Node ${OLDEST.join('.')} or newer is needed; this is ${process.versions.node}.`);
  process.exit(1);
}
