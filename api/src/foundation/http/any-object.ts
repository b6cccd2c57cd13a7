import * as v from 'valibot';

/** The body of a call that takes no data yet: `{}`, with any members, because later pages may send some. */
export const anyObject = v.looseObject({});
