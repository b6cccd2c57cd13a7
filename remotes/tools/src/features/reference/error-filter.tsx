import type { ErrorCode } from '@app/contracts/errors';
import texts from '@app/design-system/text.module.css';
import { useStatusRole } from '@app/design-system/use-status-role';
import visuallyHidden from '@app/design-system/visually-hidden.module.css';
import { t } from './words.ts';
import css from './error-filter.module.css';
import { AUDIENCES, findErrors, type Search } from './errors.ts';

interface ErrorFilterProps {
  search: Search;
  copied: ErrorCode | undefined;
  onSearch: (search: Search) => void;
}

/** Looks for errors by text, and by who meets them. Without JavaScript the whole list is there instead. */
export function ErrorFilter({ search, copied, onSearch }: ErrorFilterProps) {
  const found = findErrors(search).length;
  const told = copied ? t('errors.copied', { code: copied }) : t('errors.count', { count: found });

  return (
    <div role="search" className={css.filter} data-needs-script>
      <input
        type="search"
        className={css.input}
        aria-label={t('errors.search')}
        placeholder={t('errors.search')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={search.text}
        onChange={({ target }) => onSearch({ ...search, text: target.value })}
      />
      <div role="group" aria-label={t('errors.by')} className={css.audiences}>
        {[undefined, ...AUDIENCES].map((audience) => (
          <button
            key={audience ?? 'all'}
            type="button"
            className={css.audience}
            aria-pressed={search.audience === audience}
            onClick={() => onSearch({ ...search, audience })}
          >
            <span>{t(`errors.by.${audience ?? 'all'}`)}</span>
            <span className={css.number}>{findErrors({ ...search, audience }).length}</span>
          </button>
        ))}
      </div>
      {/* The filters show how many are found. Only that there are none is said to all. */}
      <p role={useStatusRole(told)} className={found > 0 ? visuallyHidden.hidden : texts.note}>
        {told}
      </p>
    </div>
  );
}
