/** A form of the platform's answers that the program does not know. */
export interface PostShapeTable {
  /** With its platform in front: `tiktok/page`. */
  strategy: string;
  /** `field`, `type`, `value` or `unreadable`. */
  kind: string;
  /** Path of the field, and the value's type or the value. */
  name: string;
  first_seen: number;
  last_seen: number;
  /** Id of a post that has it. */
  example: string;
  /** 1 for what was there already when the site began to look. */
  is_usual: number;
}

/** A running process of the site. Rows of those that are gone are deleted after a day. */
export interface InstanceTable {
  /** Random, another one at each start. */
  id: string;
  started_at: number;
  seen_at: number;
  /** JSON of `InstanceState`. */
  state: string;
}

/** Which process alone does something, and until when. */
export interface LeaseTable {
  name: string;
  owner: string;
  owned_until: number;
}
