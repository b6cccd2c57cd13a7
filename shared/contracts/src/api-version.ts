/** The value of the header `API-Version` in answers for apps. It changes when programs written for it would break. */
export const API_VERSION = '1';
