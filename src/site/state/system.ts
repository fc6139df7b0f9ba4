export type System = 'win' | 'mac' | 'linux' | 'android' | 'ios';

const systems = [
  ['ios', /iPhone|iPad|iPod/],
  ['android', /Android/],
  ['win', /Windows/],
  ['mac', /Macintosh/],
  ['linux', /Linux/],
] as const;

/** The system by a `User-Agent`. */
export const systemOf = (agent: string): System | 'other' =>
  systems.find(([, pattern]) => pattern.test(agent))?.[0] ?? 'other';
