import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** Every text that the marketing pages show. */
export const t = defineWords({ en });
