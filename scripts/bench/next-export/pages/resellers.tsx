import { ResellersPage } from '../../../../remotes/marketing/src/pages/resellers-page.tsx';
import { asExported } from '../as-exported.ts';

export default asExported(ResellersPage, 'marketing');
