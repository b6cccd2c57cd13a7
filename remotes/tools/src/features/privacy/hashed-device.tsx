import css from './hashed-device.module.css';

/** The ID stays on the phone: what the server keeps is a code made from it. */
export function HashedDevice() {
  return (
    <svg className={css.picture} viewBox="0 0 168 56" aria-hidden="true">
      <rect className={css.thing} x="1" y="1" width="32" height="54" rx="6" />
      <text className={css.id} x="17" y="33">
        ID
      </text>
      <path className={css.way} d="M41 28h14m24 0h14m-4-4 4 4-4 4" />
      <circle className={css.hash} cx="67" cy="28" r="12" />
      <path className={css.sign} d="M64.5 22.5l-1 11m6-11-1 11m-7-8h10m-11 5h10" />
      <rect className={css.thing} x="101" y="8" width="66" height="40" rx="6" />
      <path className={css.code} d="M110 22h48M110 34h48" />
    </svg>
  );
}
