const mobile = /\bMobi|Android|iPhone|iPad|iPod/;

/** The kind of device by a `User-Agent`; an iPad that says it is a Mac counts as a desktop. */
export const deviceOf = (agent: string): 'mobile' | 'desktop' => (mobile.test(agent) ? 'mobile' : 'desktop');
