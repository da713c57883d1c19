import { toNameSet } from './name-key.ts';

/**
 * Frequent given names by region, written by hand for this project. Accents are optional: names are looked up
 * without them. The link model was trained with exactly these; redaction also knows those in `public-given-names.ts`.
 */
export const GIVEN_NAMES = toNameSet(`
  aaron abigail adam adrian agnes aidan alan albert alex alexander alexandra alexis alfred alice alicia alison allison
  alyssa amanda amelia amy andrea andrew andy angela angelina anita ann anna anne annie anthony antonia archie ariana
  arnold arthur ashley aubrey audrey ava barbara barry beatrice becky ben benjamin bernard beth bethany betty beverly
  bradley brandon brenda brendan brian brianna bridget bruce bryan caitlin caleb calvin cameron camila carl carla
  carly carmen caroline carolyn carrie casey caspar catherine cathy cecilia charlene charles charlie chelsea cheryl
  chloe chris christian christina christine christopher cindy claire clara clare clarence clark clive cody colin
  connie connor constance corey courtney craig curtis cynthia damian dan daniel danielle danny darren daryl dave david
  dawson deborah debbie debra declan delia denise dennis derek desmond diana diane dominic don donald donna doris
  dorothy doug douglas duncan dustin dwayne dylan ed eddie edgar edith edmund edward edwin eileen elaine eleanor elena
  eli elijah elizabeth ella ellen ellie elliot elliott elsie emily emma emmanuel eric erica erik erin ernest esther
  ethan eugene eva evan evelyn felicity felix fiona fred freddie frederick gabriel gabriella gail gareth gary gavin
  gemma geoff geoffrey george georgina gerald geraldine gerard gilbert gillian gina gladys glenn gloria gordon graham
  greg gregory gwen gwendolyn hailey hannah harold harriet harrison harry harvey hazel heather hector heidi helen
  helena henry herbert howard hugh hugo ian imogen irene isaac isabel isabella isabelle isaiah isla jack jackie jacob
  jacqueline jake james jamie jan jane janet janice jared jason jayden jayne jean jeff jeffrey jemima jenna jennifer
  jenny jeremiah jeremy jerome jerry jess jesse jessica jessie jill jim jimmy joan joanna joanne joe joel john johnny
  jon jonathan joseph josephine joshua joyce juan judith judy julia julian juliana julie juliet justin karen kate
  katherine kathleen kathryn kathy katie kayla keith kelly ken kenneth kerry kevin kieran kim kimberly kirsty kristen
  kristin kristina kyle laura lauren laurence lawrence leah leanne leo leon leonard leonardo leroy leslie lewis liam
  lillian linda lindsay lindsey lisa logan lois lorraine louis louisa louise lucas lucy luke lydia lynn mabel madeleine
  malcolm mandy marc marcia margaret maria marian marie marilyn marion marjorie marsha martha martin marvin mary
  mason mathew matthew maureen maurice megan melanie melinda melissa mia michael michaela michelle mike mildred
  millie miranda miriam mitchell molly monica morgan muriel nancy naomi natalie natasha nathan nathaniel neil nicholas
  nicola nicole nigel nina noah noel nora norma norman olivia oliver oscar owen pamela patricia patrick paul paula
  pauline peggy percy peter phil philip phillip phoebe phyllis poppy priscilla rachel ralph randall randy raymond
  rebecca reginald rhonda richard rita robert roberta robin rodney roger roland ron ronald rory rosa rosalind rosemary
  ross rowan roxanne roy russell ruth ryan sabrina sally sam samantha samuel sandra sara sarah scott sean sebastian
  seth shane shannon sharon shaun sheila shelley shirley sian sidney simon sinead sophia sophie spencer stacey stacy stanley
  stella stephanie stephen steve steven stuart susan susanna suzanne sylvia tamara tanya tara ted teresa terence terry
  theodore theresa thomas tiffany tim timothy tina toby todd tom tommy tony tracey tracy travis trevor tristan tyler
  valerie vanessa vera vernon veronica vicky vincent vivian walter wanda warren wayne wendy wesley wilfred william
  winifred xavier yvonne zachary zara zoe

  achim alois andreas angelika anja anke annegret annette ansgar antje armin astrid axel barbel beate benedikt bernd
  bernhard bettina birgit björn brigitte britta burkhard carsten christa christel christiane christoph claudia
  clemens cornelia dagmar detlef dieter dietmar dirk dorothea eberhard eckhard edeltraud elfriede elisabeth elke
  emil erhard erich ernst erwin eva-maria ferdinand florian frauke friederike friedrich fritz gabriele georg gerd
  gerda gerhard gertrud gisela gottfried gregor greta gudrun günter günther hanna hannelore hans hans-peter harald
  hartmut hedwig heike heiko heiner heinrich heinz helga helmut henning herbert hermann hildegard holger horst ilse
  inge ingeborg ingrid irmgard jakob jana jens joachim jochen johann johanna johannes jonas jörg josef josefine jürgen
  jutta kai karin karl karl-heinz karla karsten kaspar katharina kathrin katja katrin kerstin klaus klara konrad
  konstantin kurt lars lena leonhard leonie liselotte lothar lotte ludwig luisa lukas lutz magdalena maike manfred
  manuela mareike margarete margit margot marianne marlene marta mathias mathilde matthias max maximilian mechthild
  meike melitta michaela mirjam monika moritz nadine niklas nikolaus norbert olaf ole oskar otto petra philipp
  rainer ralf regina reiner reinhard reinhold renate roland rolf rosemarie rosi rudi rudolf rüdiger rupert ruth sabine
  sascha siegfried sigrid silke silvia sonja stefan stefanie steffen susanne sven svenja sylvia tanja theo theresa
  thorsten tilman tobias torsten traudl udo ulf uli ulrich ulrike ursula ute uwe valentin verena veronika viktor
  volker volkmar waltraud werner wiebke wilhelm wilma winfried wolfgang wolfram

  adele adrien agathe aimée alain amélie anaïs andré ange antoine apolline arnaud aurélie aurélien baptiste bastien
  benoît bérénice bernadette bertrand brice bruno camille capucine cécile cédric céline chantal christelle christophe
  clémence clément colette corinne cyril damien danièle delphine denis didier dominique édouard élise élodie émile
  émilie emmanuelle estelle étienne fabien fabienne fabrice fanny florent françois françoise frédéric gaëlle gaspard
  geneviève georges gérard germain ghislaine gilles grégoire guillaume gustave guy-luc hélène henri hervé hubert
  inès isabelle jacques jean-baptiste jean-claude jean-luc jean-marie jean-michel jean-paul jean-pierre jeanne jérémy
  jérôme joëlle josiane julien juliette laurent laurence léa léo lionel loïc lucie lucien ludovic maëlle manon marcel
  margaux marguerite marine marion mathieu mathilde matthieu maxime mélanie michèle mireille monique muriel mylène
  nathalie nicolas noémie odile olivier pascal pascale patrice philippe pierre quentin raphaël régis rémi renaud rené
  roméo romain roselyne sandrine sébastien serge séverine simone solange solène stéphane stéphanie suzanne sylvain
  sylvie thérèse thibault thierry timothée tristan valentine véronique virginie vivien xavier yann yannick yves yvette

  adolfo adriana alba alejandra alejandro alfonso alfredo alonso álvaro amparo ana andrés antonio araceli armando arturo
  beatriz begoña benito bernardo blanca candela carlos carlota carolina catalina césar clara concepción consuelo
  cristian cristina cristóbal daniela diego dolores eduardo elvira emilio encarnación enrique ernesto esperanza
  esteban estela eugenia eva fátima federico felipe fernanda fernando francisca francisco gabriela gerardo gloria
  gonzalo graciela guadalupe guillermo gustavo héctor hernán ignacio inmaculada irene isidro ismael iván jacinto jaime
  javier jesús jimena joaquín jorge josé josefa juana julio lidia lorena lorenzo lucía luis luz-maría macarena manuel
  marcela marcelo marcos margarita maría maría-josé mariana mariano maribel marina mario marisol marta martín mateo
  matías mauricio mercedes miguel miguel-ángel milagros mónica montserrat nicolás noelia nuria óscar pablo paloma
  paola pedro pilar rafael ramiro ramón raquel raúl ricardo roberto rocío rodolfo rodrigo rogelio rosario rubén salvador
  sandra santiago sergio silvia sofía soledad susana teresa tomás valentina vicente víctor ximena yolanda

  adriano afonso alexandre aline amanda anabela andreia antónio augusto bruna caio catarina célia cláudia cláudio
  custódio débora diogo duarte edson elisa eliane fábio fabiana fabrício felipe filipa filipe flávia flávio francisca
  gilberto giovana guilherme helder heitor helena henrique hugo igor inês isadora ivone jéssica joana joão joão-pedro
  joaquim jorge josé-carlos júlia juliana júlio larissa leandro letícia lígia luana lucas luciana luciano luís luiz
  luíza manuela márcia márcio marcelo margarida mariana marlene matheus maurício miguel murilo nelson nuno otávio
  patrícia paulo pedro rafaela renan renata renato ricardo rita rodrigo rogério rui sandro sérgio simão sônia tânia
  tatiana telma thaís thiago tiago vagner vasco vinícius vitor vitória wagner wellington

  alberto alessandra alessandro alessia alessio andrea angelo anna-maria annalisa antonella antonio arianna aurora
  beatrice bianca carlo caterina cesare chiara cinzia claudio corrado cristiano damiano daniele dario davide
  debora domenico donatella edoardo elena eleonora elisa elisabetta emanuela emanuele enrico enzo ettore fabiola
  fabrizio federica federico ferruccio filippo fiorella flavio francesca francesco franco gabriele gennaro giacomo
  gianluca gianni giada giancarlo gino giorgia giorgio giovanna giovanni giulia giuliano giulio giuseppe graziella
  ilaria irene ivan leonardo letizia lorenzo luca lucia luciana luciano luigi manuela marcello marco mariagrazia
  marta massimo matteo mattia maurizio michela michele mirella nicolò ornella paolo patrizia pietro raffaele raffaella
  riccardo roberta roberto rocco romina rosanna salvatore sara serena sergio silvio simona simone stefania stefano
  tommaso umberto valeria valentino vincenzo vittoria vittorio

  aart anneke annelies anouk arjan arend bart bas bram carolien cees cornelis daan dirk-jan eefje els emiel esmee ewout
  femke fleur floor floris frans frits geert gerrit gijs hanneke hendrik henk hilde ineke ingeborg jaap jacobus jan-willem
  jasper jeroen jelle jochem joep johan joke jolanda joost joris jorrit katrijn kees klaas koen kristof lieke liesbeth
  loes lotte maaike maarten machteld marieke marijke marjolein marleen martijn mieke mirjam naomi nienke niels niek
  pieter pim quinten rens riet rik roel ronald ruben ruud saskia sander sanne sietse sjoerd stijn suzan teun thijs tijmen
  tineke tjeerd willeke wim wouter yvon

  agneta anders anette anneli annika antti arne arvid asger asta åsa aurora bengt birgitta bjarne bo-göran britt
  camilla carina carl-johan carsten dag einar eino elin elina emelie erkki eskil eva-lena finn fredrik frida fritjof
  göran gunilla gunnar gustaf gustav hanne hans-erik harald heikki helle henrik hilma ida ingela ingvar inger jari
  jarmo jens-peter jesper johan johanna jonas jorma jørgen juha jukka jussi kaisa karin kari karl-erik katarina
  kirsi kirsten kjell kjetil knut krister lars lasse leena leif lene linnea linus lise lotta magnus maj-britt
  malin margareta marit marja markku markus mathilda matti merete mette mikael mikko minna morten niels nils olav oskari
  ove outi pål päivi pekka pelle per-olof pernille pertti petri petter pia pirkko poul rasmus reidar riikka ritva rune
  sanna sigurd signe silje siri-lise solveig søren stig sture sune susanne svein sven-erik tapio terje thor-erik timo
  tomi tone torbjörn tore torill tove trine trygve tuomas tuula ulla ulrika vidar ville vilhelm ylva øystein

  agata agnieszka aleksandra aleksander alicja andrzej aneta antoni arkadiusz artur barbara bartosz beata bogdan
  bogusław bożena cezary czesław damian danuta dariusz dawid dominik dorota edyta elżbieta ewa ewelina filip franciszek
  grażyna grzegorz halina hanna henryk hubert irena iwona izabela jacek jadwiga jakub janina janusz jarosław jerzy joanna
  jolanta józef julita justyna kacper kamil karolina katarzyna kazimierz kinga krystyna krzysztof leszek lidia łukasz
  maciej magda magdalena małgorzata marcin marek mariola mariusz marzena mateusz michał mieczysław mikołaj mirosław
  monika natalia norbert patryk paulina paweł piotr przemysław radosław rafał renata robert roman ryszard sebastian
  sławomir stanisław stanisława stefania sylwester sylwia szymon tadeusz tomasz urszula wacław waldemar wanda wiesław
  wiktoria witold władysław wojciech zbigniew zdzisław zofia zuzanna zygmunt

  aleš alena bohumil dalibor dana daniela eliška hana ilona jaromír jarmila jindřich jitka jiří josef karel kateřina
  ladislav lenka libor ludmila luboš lukáš markéta martina michal miloš miloslav miroslav ondřej oldřich pavel pavla petr
  radek radka robert roman rostislav šárka stanislav štěpán tereza tomáš václav vendula veronika vladimír vlasta vojtěch
  zdeněk zdeňka zuzana attila balázs béla csaba dániel endre eszter ferenc gábor gergely györgy ildikó imre istván jános
  józsef judit kálmán katalin krisztina lajos lászló márta máté mihály miklós orsolya pál péter réka sándor szabolcs
  tamás tibor zoltán zsolt zsuzsanna adina alin andrei anca bogdan călin cătălin ciprian constantin corina cosmin
  cristian dorin doina dragoș elena florin gheorghe horia iulia ioan ioana ion ionel ionuț liviu lucian marius mihaela
  mihai mircea mirela nicolae octavian ovidiu radu răzvan simona sorin traian vasile viorel
  aleksandar biljana bojan boris branko dalia damir danijel dejan dragan dragana dušan goran gordana hrvoje igor ivana
  ivica ivo jasna jelena jovan katica ljiljana marija marko milan milena milica miljenko mirjana mladen nebojša nemanja
  nenad nikola predrag radovan ranko saša slavica slobodan snežana srđan stjepan tihomir tomislav vesna vladan zdravko
  zlatko zoran željko aggeliki alexandros anastasia andreas athanasios christos dimitra dimitrios dimitris eleni
  evangelos fotini georgios giannis ioannis katerina konstantinos kostas kyriakos maria michalis nikos nikolaos
  panagiotis sofia spyros stavros vasiliki vasilis

  aleksei aleksey alexei alexey anatoly anastasiya andrei andrey anton arkady artem artyom boris daria denis dmitri dmitry
  ekaterina evgenia evgeny galina gennady grigory igor ilya irina kirill konstantin ksenia larisa leonid lyubov lyudmila
  maksim marina mikhail nadezhda natalia natalya nikita nikolai oksana oleg oleksandr olena olga pavel polina roman ruslan
  semyon sergei sergey serhiy stanislav stepan svetlana taras tatiana tatyana timur vadim valentina valery vasily viktor
  viktoriya vitaly vladimir volodymyr vyacheslav yana yaroslav yegor yekaterina yelena yevgeny yulia yuri yury zhanna
  александр александра алексей анастасия анатолий андрей анна антон борис валентина василий виктор владимир галина
  дарья денис дмитрий евгений екатерина елена иван игорь илья ирина кирилл константин ксения лариса людмила максим
  марина мария михаил надежда наталья николай оксана олег ольга павел петр полина роман светлана сергей станислав татьяна
  тимур юлия юрий γιώργος δημήτρης ελένη ιωάννης κατερίνα κώστας μαρία νίκος παναγιώτης

  abdullah adem ahmet ali-rıza aslı ayhan ayla aynur ayşe aysel bahar barış başak berk beyza bülent burak burcu cem cemal
  cengiz deniz derya duygu ebru elif emine emrah emre engin ercan erdem erdoğan erhan erkan erol ersin esra fadime fatih
  fatma ferhat feride fikret filiz furkan gamze gökhan gönül gülay gülşen gürkan hakan halil hande hasan hatice hayriye
  hülya hüseyin ibrahim ilhan ilker ismail kadir kemal kerem koray kübra levent mehmet melek melike meltem meryem merve
  mert metin mevlüt muhammed murat mustafa nazlı necati nermin neslihan nilgün nurcan nuri oğuz okan onur orhan osman
  ömer özcan özge özgür özlem pınar ramazan recep sedat selçuk selim selin sema semra serdar serkan sevgi sevim sibel sinan
  şule süleyman taner tolga tuğba tuncay turgut uğur ümit volkan yasemin yasin yavuz yılmaz yiğit yusuf zehra zeki zeynep

  abbas abdallah abdel abdelaziz abdelkader abderrahmane abdul abdulaziz abdulrahman adel adnan ahmad ahmed aisha aicha
  akram ali aliyah amal amina amine amir amira ammar anas anwar asma ayman ayoub aziz bashir bilal brahim dalal
  dina driss fadi fahad faisal farah farid farida fatema fatima fatiha fawzi fouad ghassan habib hadi hafsa hala hamad
  hamid hamza hana hanan hani hani hasan hassan hatem hicham hind hisham houda husam hussain hussein ibtisam idris ilham
  iman imane imran ismail jaber jamal jamila jawad kamal karim karima khadija khaled khalid khalil laila lamia latifa layla
  leila lina loubna maha mahmoud majid malika mansour mariam maryam marwan mehdi mohamed mohammad mohammed mona mounir
  mouna muhammad mustafa mustapha nabil nada nadia naima najat nasser nawal nizar noor noura omar osama othman rabab
  rachid rami rana rania rashid rasha reem rida riad sahar said saida salah saleh salem salim salma samar sami samir samira
  sana sara sawsan siham soraya sulaiman tamer tarek tariq wael wafa walid wassim yahya yasmin yasmine yasser younes youssef
  yousef yusra zahra zainab zakaria zayed zineb ziad cohen-david moshe shlomo yitzhak yosef avraham rivka chaim menachem
  ali-reza amirhossein arash azadeh behzad farhad fereshteh hossein javad mahdi majid mehrdad mohsen nasrin parisa reza
  saeed shahram shirin soheil zahra

  aarav abhishek aditi aditya ajay akash akshay alok amit amita amitabh anand ananya aniket anil anirudh anish anjali ankit
  ankita anupam anuradha anushka aparna archana arjun arun aruna arvind ashish ashok ashwin atul avinash babita balaji bharat
  bhavna bhupesh chandan chandra chetan darshan deepa deepak deepika dev devika dhruv dilip dinesh divya ganesh gaurav gauri
  geeta girish gopal govind harish harsh harsha hemant indira ishaan jagdish jaya jayant jitendra jyoti kailash kalpana
  kamala kapil karan karthik kavita kiran kishore komal krishna kunal lakshmi lalit lata madhav madhavi mahendra mahesh
  manish manisha manju manoj meena meera megha mohan mohit mukesh nandini narayan narendra naveen neelam neeraj neha nikhil
  nilesh nisha nitin nupur pallavi pankaj parth pooja prabhu pradeep prakash pramod pranav prasad prashant pratik praveen
  preeti prem priya priyanka puja rachna radha raghav rahul raj raja rajan rajat rajendra rajesh rajiv raju rakesh ram ramesh
  rani ranjit rashmi ravi reena rekha renu ritesh ritu rohan rohit roshan ruchi rupa sachin sandeep sangeeta sanjay sanjeev
  santosh sarita satish savita seema shalini shankar shanti sharad sheetal shilpa shreya shruti shyam siddharth smita sneha
  soham sonali subhash sudhir sujata sumit sunil sunita suraj suresh surya sushil swati tanvi tarun trupti uday uma umesh
  usha vaibhav vandana varun vasant vidya vijay vikas vikram vimal vinay vineet vinod vipul vishal vivek yash yogesh
  ayesha bilal farhan fahad hina imran irfan kashif nadeem naveed rehman rizwan saima shahid shoaib sohail usman waqar zubair

  chunhua dawei fang guoqiang haiyan hongmei jiaxin jianguo jianhua jing jingjing junjie lanying lihua lijuan meiling
  mingming minghua qiang qingqing ruixin shufen shuzhen tingting weidong weiming wenjie wenjing xiaohong xiaoling
  xiaoming xiaoyan xinyi xiulan xiuying yaling yifan yichen yuhan yumei yuxin zhigang zhiqiang zihan ziyi
  aiko akemi akihiro akiko akira asuka atsushi ayaka ayumi chieko daichi daisuke emiko eriko fumiko hana-ko haruka haruki
  haruto hayato hideki hideo hiroaki hiroko hiromi hiroshi hiroyuki hitoshi ichiro junichi junko kaito kaori katsumi kazuki
  kazuko kazuo keiko keisuke kenichi kenji kenta kiyoshi koichi kumiko kunio kyoko makoto mami manabu mariko masaki masako
  masao masashi mayumi megumi michiko midori miho minoru misaki mitsuko miyuki naoki naoko naoto natsuki noboru noriko
  nobuyuki osamu reiko ryo ryosuke ryota sachiko sakura satoshi sayuri shigeru shinichi shinji shota shoko susumu tadashi
  taichi takahiro takako takashi takeshi takuya tamotsu tatsuya tetsuya tomoko tomomi toru toshio tsubasa tsutomu yasuko
  yasuo yoichi yoko yoshiko yosuke yui yuka yuki yukiko yuko yumi yumiko yuta yutaka
  eunji hyejin hyunwoo jihoon jihye jimin jisoo jiwoo jungho junho kyungsoo minho minji minjun minseo seojun seoyeon
  seunghyun soyeon sungmin taehyung yejin youngho yuna anh anh-tuan bao-ngoc hoa duc minh thi duc-anh hoang hung huong khanh linh minh-anh ngoc
  phuong quang quynh thanh thao thi-mai thuy trang trung tuan tuyet vinh xuan agus bambang budi dewi endang fitri indah
  joko ketut made-wayan nurul putri rina siti slamet sri-wahyuni suharto sukarno wayan yanti ratna
  abena abiola adaeze adebayo ade ademola akosua akua amara ayodele babatunde bongani chiamaka chidi chinedu chinonso
  chukwuemeka efua emeka esi folake funmilayo ifeanyi ikechukwu jabu kofi kwabena kwame kwasi lindiwe makena mpho musa
  nkechi nneka nokuthula nomsa ngozi obinna oluwaseun olumide olufemi sipho siyabonga tendai thabo thandi tunde uche
  wanjiru yaw zanele zodwa
`);

/**
 * Given names that are also words, months, places or brands; with a surname alone they do not count as a
 * person.
 */
export const AMBIGUOUS_GIVEN_NAMES = toNameSet(`
  abril adelaide alexa alma amber angel april art asia august augustus aurora austin autumn basil berry bill bob brandy
  brooklyn buck camille carol chad chance charity charlotte chase china christian chuck clay cliff constance crystal
  daisy dale dallas dakota dawn dean deniz destiny dick dolores drew duke dusty earl eden elder esperanza eve faith
  fleur florence forrest france frank frankie gene genesis georgia ginger glen grace grant guy harmony harsh heath
  heaven holly hope hunter india iris israel ivory ivy jackson jasmine jay jewel jordan josh joy june justice kai kiran
  kerry lance lane lee liberty lily london mark marcus max maximo may melody mercedes mercy mike miles milan morgan nelson
  nick noel noor norma olive oscar page paige paris pat patience patty pearl penny petra phoenix pierce pilar poppy
  prince princess prudence ram rand randy ray reed rene rich rob robin rocky roman rosa rose royal ruby rusty sage sam
  sandy savannah serena sergeant shell sierra sky skip sofia star sterling storm sue summer sunny surya sydney taylor ted
  terry toni trinity tripp troy tyler valencia valentine vera victor victoria vidya violet virginia wade ward warren wayne
  will willow winter yuan zion jenkins watson norm miles sana asma hala rida dag per kjell ida linus bo dell sven noa
`);
