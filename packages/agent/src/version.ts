/** Stands in events when the application gives no version of its own. */
export const AGENT_VERSION = '0.1.0';
