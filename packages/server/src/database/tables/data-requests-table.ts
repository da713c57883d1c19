/** Requests of admins to export or delete what is kept about a device or a person. */
export interface DataRequestsTable {
  tenant_id: string;
  request_id: string;
  /** export or deletion. */
  kind: string;
  /** running, completed or expired. */
  status: string;
  /** device_id or indicator. */
  subject_type: string;
  /** Null once it is not needed any more: after a deletion, and when an export has expired. */
  subject: string | null;
  /** The end of the feed when it was requested. Later events are not part of it. */
  until_position: number;
  /** The kind of record that is searched now. */
  stage: number;
  /** JSON of the key up to which it was searched; null at its beginning. */
  stage_key: string | null;
  /** A deletion repeats the search until nothing is found. */
  pass: number;
  found_in_pass: number;
  /** JSON of deleted objects to which rows may still refer; null if there are none. */
  leftovers: string | null;
  /** JSON object: the number of records by kind. */
  records: string;
  /** Hex SHA-256 over the erased events; null until a deletion has completed. */
  proof: string | null;
  created_at: number;
  /** Kind and id of who requested it. */
  created_by: string;
  completed_at: number | null;
  /** When an export ends. */
  expires_at: number | null;
}
