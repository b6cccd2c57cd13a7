import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** The texts of the plans. They are a catalogue of their own, so that only pages with plans load them. */
export const t = defineWords({ en });
