import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** What only the page for authors says. The list of errors has no need of it. */
export const t = defineWords({ en });
