import { EN, type InterstitialWords } from './interstitial-words.ts';

export const VI: InterstitialWords = EN;
