/** What answers for apps are in, by the header `API-Version`. It changes when a program written for it would no longer understand them. */
export const API_VERSION = '1';
