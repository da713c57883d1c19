/** What belongs to the installation as a whole and to no tenant. */
export interface ServiceSettingsTable {
  name: string;
  value: string;
}
