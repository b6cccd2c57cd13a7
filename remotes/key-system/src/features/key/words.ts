import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** The texts of an earned key. No step's page loads them. */
export const t = defineWords({ en });
