import type { DeskViews } from '../../../web/desk/desk-view.tsx';
import { LogView } from '../log/view.tsx';

/** Of the desk's own pages, by their names. */
export default { log: LogView } satisfies DeskViews;
