import { siDiscord, siGithub, siInstagram, siTiktok, siX, siYoutube } from 'simple-icons';

/** The marks of the community's places, as paths in a box of 24 × 24. */
export const COMMUNITY_MARKS = {
  discord: siDiscord.path,
  youtube: siYoutube.path,
  tiktok: siTiktok.path,
  instagram: siInstagram.path,
  x: siX.path,
  github: siGithub.path,
};
