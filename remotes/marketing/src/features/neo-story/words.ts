import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** The texts of the page of NEO. They are a catalogue of their own, so that only this page loads them. */
export const t = defineWords({ en });
