import type { DeskViews } from '../../../server/desk/desk-view.tsx';
import { ArticlesView } from '../articles/view.tsx';
import { CacheView } from '../cache/view.tsx';
import { CanaryView } from '../canary/view.tsx';
import { NowView } from '../figures/now/view.tsx';
import { UseView } from '../figures/use/view.tsx';
import { LogView } from '../log/view.tsx';

/** Views of the desk's own pages, by their names. */
export default {
  now: NowView,
  use: UseView,
  articles: ArticlesView,
  canary: CanaryView,
  cache: CacheView,
  log: LogView,
} satisfies DeskViews;
