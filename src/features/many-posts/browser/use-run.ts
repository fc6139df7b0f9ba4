import { useCallback, useEffect, useRef, useState } from 'react';
import { keepAwake, onWaking } from '../../../site/browser/device/keep-awake.ts';
import { loadWhole, withinLimit } from '../../../site/browser/navigation/route-modules.ts';
import { useLocale } from '../../../site/translation.tsx';
import type { Pace } from '../pace.ts';
import type { Run, RunPost, RunView } from '../run/run-types.ts';
import type { Runner } from '../run/runner.ts';

/** The code of runs; null where it cannot be had. A new version of the site has loaded the document anew by then. */
async function loadRun() {
  try {
    return await withinLimit('run', import('../run/open-run.ts'));
  } catch (error) {
    console.error(error);
    if (navigator.onLine) loadWhole(location.pathname);
    return null;
  }
}

/** A run of this device. A new one begins at once; a stored one when the visitor says so. */
export function useRun(run: Run, posts: readonly RunPost[], isNew: boolean, pace: Pace) {
  const locale = useLocale();
  const isOver = posts.every(({ state }) => state !== 'waiting');
  const [view, setView] = useState<RunView>({
    ...{ phase: isOver ? 'done' : 'paused', why: null, hold: null, posts, active: [] },
  });
  const [isElsewhere, setElsewhere] = useState(false);
  /** Whether the device slept while it went on. */
  const [wasAsleep, setAsleep] = useState(false);
  /** The last zip that the browser got. */
  const [zip, setZip] = useState<File | null>(null);
  const runner = useRef<Runner>(null);
  const leave = useRef<(() => void)[]>([]);
  // Another language brings other page data; a run that goes on keeps what it began with.
  const present = useRef({ pace, locale });
  useEffect(() => {
    present.current = { pace, locale };
  });

  const begin = useCallback(
    async (act: (running: Runner) => void) => {
      const code = await loadRun();
      if (code === null) {
        setView((before) => ({ ...before, why: 'broken' }));
        return;
      }
      const { openRun, mayWrite, claim } = code;
      if (!(await mayWrite(run.folder))) {
        setView((before) => ({ ...before, why: 'folder' }));
        return;
      }
      if (runner.current === null) {
        const release = await claim();
        setElsewhere(release === null);
        if (release === null) return;
        let newest: RunView | null = null;
        const show = () => {
          if (newest !== null) setView(newest);
          newest = null;
        };
        // A run changes more often than anybody can read.
        const onChange = (changed: RunView) => {
          if (newest === null) setTimeout(show, 50);
          newest = changed;
        };
        const opened = openRun({ ...present.current, ...{ run, posts, onChange }, onZip: setZip });
        runner.current = opened;
        const online = () => opened.online();
        addEventListener('online', online);
        leave.current = [
          () => removeEventListener('online', online),
          keepAwake(),
          onWaking(() => setAsleep(true)),
          () => opened.leave(),
          release,
        ];
      }
      act(runner.current);
    },
    [run, posts],
  );

  useEffect(() => {
    if (isNew) void begin((running) => running.start());
    return () => {
      for (const end of leave.current.splice(0)) end();
      runner.current = null;
    };
  }, [isNew, begin]);

  return {
    ...{ view, isElsewhere, wasAsleep, zip },
    start: () => begin((running) => running.start()),
    pause: () => runner.current?.pause(),
    skip: (n: number) => void runner.current?.skip(n),
    retry: () => begin((running) => void running.retry()),
  };
}
