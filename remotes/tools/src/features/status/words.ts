import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** The texts of the status, which no other page of the unit needs. */
export const t = defineWords({ en });
