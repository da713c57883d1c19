/** When something is, or has to be done. */
export const DATES: Readonly<Record<string, readonly string[]>> = {
  day: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday', 'tomorrow', 'today'],
  month: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
  time: ['{n1}am', '{n1}pm', '1{n1}:{n2}', '{n1}:30', '{n1}:15 pm', '10:00 AM', 'noon', '9.30am'],
  hours: ['12 hours', '24 hours', '48 hours', '24hrs', '2 hours', '72 hours', '3 days', '24h'],
};
