/** The code of the writer thread. */
import { answerTasks, append } from './append-task.ts';

answerTasks(append);
