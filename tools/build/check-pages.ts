import type { Routes } from '../../shared/contracts/src/pages.ts';
import { titleOf } from '../../shared/contracts/src/document.ts';
import type { Unit } from '../../shared/contracts/src/unit.ts';

/** The fields that the line of a page needs, each with its description for the error message. */
const WANTED = {
  page: 'the name of its chunk',
  title: "the label of its title, or '' for the team's name alone",
  shareTitle: 'the title of a shared link',
  description: 'a sentence for those who share it and those who look for it',
  picture: 'the name of a picture in api/pictures/share',
  canonical: 'the path that the sitemap lists, or null for none',
};

/**
 * Finds missing fields in a unit's `routes.ts`, and titles that the titles of the product specification overrule.
 * TypeScript cannot find the latter.
 * @returns a sentence for each problem that says what to write where
 */
export function findPageProblems(unit: Unit, routes: Routes): string[] {
  return Object.entries(routes).flatMap(([path, line]) => {
    const place = `its line in the routes.ts of ${unit}`;
    const missing = Object.entries(WANTED).filter(([field]) => !isSaid(field, Reflect.get(line, field)));
    if (missing.length > 0) return missing.map(([field, what]) => `${path} has no ${field}: ${place} needs ${what}`);

    const shown = titleOf(path, line.title);
    return shown === titleOf('', line.title)
      ? []
      : [`${path} is titled "${shown}" by the words of the specification: ${place} says "${line.title}"`];
  });
}

function isSaid(field: string, value: unknown): boolean {
  if (field === 'canonical' && value === null) return true;
  return typeof value === 'string' && (field === 'title' || value !== '');
}
