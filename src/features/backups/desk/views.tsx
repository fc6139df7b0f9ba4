import type { DeskViews } from '../../../server/desk/desk-view.tsx';
import { BackupsView } from './view.tsx';

export default { backups: BackupsView } satisfies DeskViews;
