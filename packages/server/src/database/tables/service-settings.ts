/** Settings of the installation, which belong to no tenant. */
export interface ServiceSettingsTable {
  name: string;
  value: string;
}
