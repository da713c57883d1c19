import { toNameSet } from './name-key.ts';

/**
 * Frequent family names, written by hand for this project; they confirm an ambiguous given name (`Will
 * Smith`). The link model was trained with exactly these; redaction also knows those in `public-family-names.ts`.
 */
export const FAMILY_NAMES = toNameSet(`
  adams allen anderson bailey baker barnes bell bennett brooks brown butler campbell carter clark clarke collins cook
  cooper cox cruz davies davis diaz doe edwards evans fisher flores foster garcia gomez gonzalez graham gray green griffin
  hall hamilton harris harrison hayes henderson hernandez hill howard hughes jackson james jenkins johnson johnston jones
  kelly kennedy king lee lewis long lopez macdonald marshall martin martinez mason mcdonald miller mitchell moore morales
  morgan morris murphy murray myers nelson nguyen o'brien o'connor o'neill ortiz owens parker patel patterson perez perry
  peterson phillips powell price ramirez reed reyes reynolds richardson rivera roberts robertson robinson rodriguez rogers
  ross russell sanchez sanders scott shaw simmons simpson singh smith stevens stewart sullivan taylor thomas thompson
  thomson torres turner walker wallace ward watson west white williams wilson wood wright young
  bauer becker braun fischer fuchs hartmann hoffmann hofmann huber jung kaiser keller klein koch könig köhler krause
  krüger kühn lang lange lehmann maier mayer meier meyer möller müller neumann peters pfeiffer richter roth schäfer
  schmid schmidt schmitt schmitz schneider scholz schreiber schröder schubert schulz schulze schumacher schuster
  schwarz simon sommer stein vogel vogt wagner walter weber weiß werner winkler winter wolf zimmermann
  bernard bertrand bonnet dubois dupont durand fontaine fournier garnier girard lambert laurent lefebvre lefèvre legrand
  leroy martin mercier michel moreau morel petit renard richard robert rousseau roux simon thomas vincent
  alonso álvarez castro delgado domínguez fernández garcía gil giménez gutiérrez herrera iglesias jiménez lópez medina
  molina moreno muñoz navarro núñez ortega ramos romero ruiz sanz serrano silva suárez vargas vázquez
  almeida alves araújo barbosa cardoso carvalho costa ferreira gomes gonçalves lima lopes machado marques martins mendes
  nascimento nunes oliveira pereira pinto ribeiro rodrigues santos soares sousa souza teixeira vieira
  bianchi bruno colombo conti de-luca esposito ferrari fontana gallo galli giordano greco lombardi mancini marino martini
  moretti ricci rinaldi rizzo romano rossi russo santoro
  bakker bos brouwer dekker hendriks jansen janssen mulder peeters smit visser vries willems
  andersen andersson christensen eriksson gustafsson hansen jensen johansen johansson karlsson korhonen larsen larsson
  lindberg madsen nielsen nilsson olsen olsson pedersen persson rasmussen sørensen svensson virtanen
  dąbrowski kamińska kamiński kowalczyk kowalska kowalski lewandowski mazur nowak szymański wiśniewska wiśniewski wójcik
  zieliński dvořák horák novák novotný svoboda horváth kovács nagy szabó tóth popescu ionescu popa
  ivanov ivanova kuznetsov petrov petrova popov sidorov smirnov volkov иванов иванова петров петрова сидоров смирнов
  çelik demir kaya öztürk şahin yıldız yılmaz papadopoulos shevchenko kovalenko
  abdallah ahmed ali hassan hussein ibrahim khan mohamed
  agarwal bose chatterjee chaudhary das desai gupta iyer jain joshi kapoor kaur khanna kumar malhotra mehta mishra
  nair pandey patil rao reddy shah sharma sinha srivastava verma yadav
  kim lee choi jung kang cho yoon jang tanaka sato suzuki takahashi watanabe ito yamamoto nakamura kobayashi
  adeyemi mensah okafor dlamini nkosi mwangi
`);

/**
 * Family names that precede the given name: `Wang Wei`, `Tanaka Hiroshi`, `Nguyen Thi Hoa`, `Choi Min-ho`.
 */
export const LEADING_FAMILY_NAMES = toNameSet(`
  wang zhang liu chen zhao huang zhou xu zhu guo luo liang zheng xie tang feng deng peng zeng xiao tian dong yuan jiang cai
  wei lü yao cui qian xiong qiu jia xia qin gong tao kong bai meng hou lei long-wei shao li wu sun-li ma-li gao hu-li
  nguyen tran pham hoang phan bui dang huynh choi kang jeong kwon hwang yoon
  tanaka sato takahashi watanabe yamamoto nakamura kobayashi kato yoshida sasaki matsumoto inoue kimura shimizu hayashi
  yamazaki ishikawa nakajima ogawa okada hasegawa murakami kondo goto fujii nishimura fukuda miura fujiwara okamoto
`);
