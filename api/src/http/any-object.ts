import * as v from 'valibot';

/** The body of a call that has nothing to say yet: `{}`, or members that a later page may add. */
export const anyObject = v.looseObject({});
