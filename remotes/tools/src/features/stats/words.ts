import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** The texts of the figures, which no other page of the unit needs. */
export const t = defineWords({ en });
