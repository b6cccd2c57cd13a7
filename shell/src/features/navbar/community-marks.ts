import { siDiscord, siGithub, siInstagram, siTiktok, siX, siYoutube } from 'simple-icons';

/** The logos of the community's sites, as SVG paths in a view box of 24 × 24. */
export const COMMUNITY_MARKS = {
  discord: siDiscord.path,
  youtube: siYoutube.path,
  tiktok: siTiktok.path,
  instagram: siInstagram.path,
  x: siX.path,
  github: siGithub.path,
};
