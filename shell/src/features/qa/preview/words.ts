import { defineWords } from '@app/platform';
import en from './messages/en.json';

/** The texts of previews. They are apart from those of QA, because players may be sent a preview. */
export const t = defineWords({ en });
