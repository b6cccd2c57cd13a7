import css from './art-place.module.css';

/** The class of the box around a drawing. It reserves the space, because drawings load after the first paint. */
export const ART_PLACE = css.place ?? '';
