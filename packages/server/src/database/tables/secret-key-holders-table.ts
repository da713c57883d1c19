/** Which running process can open secrets under which key. */
export interface SecretKeyHoldersTable {
  key_id: string;
  node_id: string;
  /** When the process last reported. */
  held_at: number;
}
