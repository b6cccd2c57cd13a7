import { CopyField } from '@app/design-system/copy-field';
import { Tabs } from '@app/design-system/tabs';
import luaClient from '../../../../../samples/key-client/key-client.lua?raw';
import typescriptClient from '../../../../../samples/key-client/key-client.ts?raw';
import pythonClient from '../../../../../samples/key-client/key_client.py?raw';
import pythonVerifier from '../../../../../samples/key-client/verify_key.py?raw';
import javascriptVerifier from '../../../../../samples/verify-key/verify-key.mjs?raw';
import { t } from '../../words.ts';
import { Text } from './part.tsx';
import css from './samples.module.css';

const LANGUAGES = [
  {
    id: 'typescript',
    label: 'TypeScript',
    files: [
      { name: 'key-client.ts', text: typescriptClient },
      { name: 'verify-key.mjs', text: javascriptVerifier },
    ],
  },
  {
    id: 'python',
    label: 'Python',
    files: [
      { name: 'key_client.py', text: pythonClient },
      { name: 'verify_key.py', text: pythonVerifier },
    ],
  },
  { id: 'lua', label: 'Lua', files: [{ name: 'key-client.lua', text: luaClient }] },
];

/** Shows the files of the repository's `samples` folder. The build includes the same files that the tests run. */
export function Samples() {
  const tabs = LANGUAGES.map(({ id, label, files }) => ({
    id,
    label,
    panel: (
      <div className={css.files}>
        {id === 'lua' && <Text>{t('dev.samples.lua')}</Text>}
        {files.map(({ name, text }) => (
          <CopyField key={name} label={name} value={text} lines />
        ))}
      </div>
    ),
  }));

  return <Tabs label={t('dev.samples.language')} tabs={tabs} />;
}
