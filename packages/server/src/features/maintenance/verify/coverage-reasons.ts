// Why a column is not compared.

export const CHANGEABLE = 'operators or people change it, and nothing repeats it';
export const PASSING = 'it changes all the time and nothing repeats it';
export const SHORT_LIVED = 'it is short-lived and nothing repeats it';
export const WITH_INCIDENT = 'people change it together with incidents';
export const ONLY_HERE = 'nothing else repeats it';
