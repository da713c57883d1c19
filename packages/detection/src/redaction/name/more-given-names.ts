import { toNameSet } from '../../lexicon/name-key.ts';

/** Given names that the public lists lack, written by hand for this project: Slavic, Irish, Welsh and Baltic ones. */
export const MORE_GIVEN_NAMES = toNameSet(`
  алёна алена алина алиса алла анастасия ангелина анжела антонина арина валентина валерия варвара василиса вероника виктория
  галина дарья диана екатерина елена елизавета жанна зинаида зоя инна ирина карина кира клавдия ксения лариса лидия людмила
  маргарита марина мария милана надежда наталья нина оксана олеся ольга полина раиса светлана софия софья тамара татьяна
  ульяна юлия яна александр алексей анатолий андрей антон аркадий артём артур борис вадим валентин валерий василий виктор
  виталий владимир владислав вячеслав геннадий георгий григорий даниил денис дмитрий евгений егор иван игорь илья кирилл
  константин леонид максим матвей михаил никита николай олег павел пётр роман руслан семён сергей станислав степан тимофей
  тимур фёдор эдуард юрий ярослав
  марія олена ірина наталія оксана тетяна юлія вікторія катерина ганна дарина соломія софія людмила надія оленка мар'яна
  андрій олександр сергій володимир дмитро микола михайло олексій тарас богдан остап назар ярослав євген василь петро ігор
  siobhan aoife niamh saoirse caoimhe roisin sinead grainne orla ciara aisling eimear maeve oisin cillian eoghan padraig
  tadhg fionn diarmuid cathal conor darragh ruairi seamus
  angharad bronwen carys cerys eirlys ffion gwenllian lowri nerys rhiannon seren dafydd gethin gruffydd hywel iestyn ieuan
  rhodri rhys
  agne aiste egle gabija jurgita ruta ieva liga zane aivars arturs guntis janis valdis algirdas gediminas mindaugas vytautas
`);
