import { StepPage } from '../../../../remotes/key-system/src/pages/step-page.tsx';
import { asExported } from '../as-exported.tsx';

export default asExported(StepPage, 'key-system');
